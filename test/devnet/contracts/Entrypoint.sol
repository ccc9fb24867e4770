// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {AssociationSets} from "./AssociationSets.sol";
import {IPool} from "./IPool.sol";
import {NATIVE_ASSET} from "./NativeAsset.sol";
import {PoolRegistry} from "./PoolRegistry.sol";
import {Withdrawal, WithdrawProof} from "./Proofs.sol";

/// The door to all pools of a chain: takes deposits less the vettingFee, pays relayed withdrawals less the relayFee.
/// Lives behind a proxy.
contract Entrypoint is Initializable, UUPSUpgradeable, ReentrancyGuardTransient, PoolRegistry, AssociationSets {
    using SafeERC20 for IERC20;

    /// A precommitment names one nullifier: a second deposit under it could never be spent.
    mapping(uint256 _precommitment => bool _used) public usedPrecommitments;

    event Deposited(address indexed _depositor, address indexed _pool, uint256 _commitment, uint256 _amount);
    event WithdrawalRelayed(
        address indexed _relayer, address indexed _recipient, address indexed _asset, uint256 _amount, uint256 _feeAmount
    );
    event FeesWithdrawn(address _asset, address _recipient, uint256 _amount);

    error InvalidPoolState();
    error InvalidProcessooor();
    error InvalidWithdrawalAmount();
    error MinimumDepositAmount();
    error NativeAssetNotAccepted();
    error NativeAssetTransferFailed();
    error PrecommitmentAlreadyUsed();
    error RelayFeeGreaterThanMax();

    constructor() {
        _disableInitializers();
    }

    function initialize(address _owner, address _postman) external initializer {
        require(_owner != address(0) && _postman != address(0), ZeroAddress());
        _setRoleAdmin(POSTMAN_ROLE, OWNER_ROLE);
        _setRoleAdmin(OWNER_ROLE, OWNER_ROLE);
        _grantRole(OWNER_ROLE, _owner);
        _grantRole(POSTMAN_ROLE, _postman);
    }

    /// Native coins come from the native pool alone, on their way to a withdrawal's recipient.
    receive() external payable {
        require(msg.sender == address(assetConfig[NATIVE_ASSET].pool), NativeAssetNotAccepted());
    }

    function deposit(uint256 _precommitment) external payable nonReentrant returns (uint256 _commitment) {
        return _deposit(NATIVE_ASSET, msg.value, _precommitment);
    }

    function deposit(address _asset, uint256 _value, uint256 _precommitment)
        external
        nonReentrant
        returns (uint256 _commitment)
    {
        require(_asset != NATIVE_ASSET, NativeAssetNotAccepted());
        IERC20(_asset).safeTransferFrom(msg.sender, address(this), _value);
        return _deposit(_asset, _value, _precommitment);
    }

    /// Withdraws on behalf of a hidden owner. `_withdrawal.data` is abi.encode(recipient, feeRecipient, relayFeeBPS).
    function relay(Withdrawal calldata _withdrawal, WithdrawProof calldata _proof, uint256 _scope)
        external
        nonReentrant
    {
        uint256 amount = _proof.pubSignals[2];
        require(amount != 0, InvalidWithdrawalAmount());
        require(_withdrawal.processooor == address(this), InvalidProcessooor());
        IPool pool = scopeToPool[_scope];
        require(address(pool) != address(0), PoolNotFound());
        address asset = pool.ASSET();
        uint256 balanceBefore = _balanceOf(asset);

        pool.withdraw(_withdrawal, _proof);

        (address recipient, address feeRecipient, uint256 relayFeeBPS) =
            abi.decode(_withdrawal.data, (address, address, uint256));
        require(relayFeeBPS <= assetConfig[asset].maxRelayFeeBPS, RelayFeeGreaterThanMax());
        uint256 fee = (amount * relayFeeBPS) / BPS;
        _send(asset, recipient, amount - fee);
        _send(asset, feeRecipient, fee);
        require(_balanceOf(asset) >= balanceBefore, InvalidPoolState());
        emit WithdrawalRelayed(msg.sender, recipient, asset, amount, fee);
    }

    /// Pays out the vettingFees, which wait here.
    function withdrawFees(address _asset, address _recipient) external nonReentrant onlyRole(OWNER_ROLE) {
        uint256 amount = _balanceOf(_asset);
        _send(_asset, _recipient, amount);
        emit FeesWithdrawn(_asset, _recipient, amount);
    }

    function _deposit(address asset, uint256 gross, uint256 precommitment) private returns (uint256 commitment) {
        IPool pool = _poolOf(asset);
        AssetConfig storage config = assetConfig[asset];
        require(!usedPrecommitments[precommitment], PrecommitmentAlreadyUsed());
        usedPrecommitments[precommitment] = true;
        require(gross >= config.minimumDepositAmount, MinimumDepositAmount());
        uint256 net = gross - (gross * config.vettingFeeBPS) / BPS;
        commitment = pool.deposit{value: asset == NATIVE_ASSET ? net : 0}(msg.sender, net, precommitment);
        emit Deposited(msg.sender, address(pool), commitment, net);
    }

    function _balanceOf(address asset) private view returns (uint256) {
        return asset == NATIVE_ASSET ? address(this).balance : IERC20(asset).balanceOf(address(this));
    }

    function _send(address asset, address to, uint256 amount) private {
        require(to != address(0), ZeroAddress());
        if (asset == NATIVE_ASSET) {
            (bool sent,) = to.call{value: amount}("");
            require(sent, NativeAssetTransferFailed());
        } else {
            IERC20(asset).safeTransfer(to, amount);
        }
    }

    function _authorizeUpgrade(address) internal override onlyRole(OWNER_ROLE) {}
}
