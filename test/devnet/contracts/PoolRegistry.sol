// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IPool} from "./IPool.sol";
import {NATIVE_ASSET} from "./NativeAsset.sol";

/// The owner's list of pools: one per asset, found by asset or by scope.
abstract contract PoolRegistry is AccessControl {
    using SafeERC20 for IERC20;

    struct AssetConfig {
        IPool pool;
        uint256 minimumDepositAmount;
        uint256 vettingFeeBPS;
        uint256 maxRelayFeeBPS;
    }

    bytes32 internal constant OWNER_ROLE = keccak256("OWNER_ROLE");
    uint256 internal constant BPS = 10_000;

    mapping(uint256 _scope => IPool _pool) public scopeToPool;
    mapping(address _asset => AssetConfig) public assetConfig;

    event PoolRegistered(address _pool, address _asset, uint256 _scope);
    event PoolRemoved(address _pool, address _asset, uint256 _scope);
    event PoolConfigurationUpdated(
        address _pool,
        address _asset,
        uint256 _newMinimumDepositAmount,
        uint256 _newVettingFeeBPS,
        uint256 _newMaxRelayFeeBPS
    );
    event PoolWindDown(address _pool);

    error AssetMismatch();
    error AssetPoolAlreadyRegistered();
    error InvalidEntrypointForPool();
    error InvalidFeeBPS();
    error PoolNotFound();
    error ScopePoolAlreadyRegistered();
    error ZeroAddress();
    // Thrown by the pools and passed on.
    error PoolIsDead();

    function registerPool(
        address _asset,
        address _pool,
        uint256 _minimumDepositAmount,
        uint256 _vettingFeeBPS,
        uint256 _maxRelayFeeBPS
    ) external onlyRole(OWNER_ROLE) {
        require(_asset != address(0) && _pool != address(0), ZeroAddress());
        IPool pool = IPool(_pool);
        require(address(assetConfig[_asset].pool) == address(0), AssetPoolAlreadyRegistered());
        require(pool.ENTRYPOINT() == address(this), InvalidEntrypointForPool());
        require(pool.ASSET() == _asset, AssetMismatch());
        uint256 scope = pool.SCOPE();
        require(address(scopeToPool[scope]) == address(0), ScopePoolAlreadyRegistered());
        scopeToPool[scope] = pool;
        _configure(_asset, pool, _minimumDepositAmount, _vettingFeeBPS, _maxRelayFeeBPS);
        if (_asset != NATIVE_ASSET) IERC20(_asset).forceApprove(_pool, type(uint256).max);
        emit PoolRegistered(_pool, _asset, scope);
    }

    function removePool(address _asset) external onlyRole(OWNER_ROLE) {
        IPool pool = _poolOf(_asset);
        uint256 scope = pool.SCOPE();
        if (_asset != NATIVE_ASSET) IERC20(_asset).forceApprove(address(pool), 0);
        delete scopeToPool[scope];
        delete assetConfig[_asset];
        emit PoolRemoved(address(pool), _asset, scope);
    }

    function updatePoolConfiguration(
        address _asset,
        uint256 _minimumDepositAmount,
        uint256 _vettingFeeBPS,
        uint256 _maxRelayFeeBPS
    ) external onlyRole(OWNER_ROLE) {
        IPool pool = _poolOf(_asset);
        _configure(_asset, pool, _minimumDepositAmount, _vettingFeeBPS, _maxRelayFeeBPS);
        emit PoolConfigurationUpdated(address(pool), _asset, _minimumDepositAmount, _vettingFeeBPS, _maxRelayFeeBPS);
    }

    function windDownPool(address _pool) external onlyRole(OWNER_ROLE) {
        IPool(_pool).windDown();
        emit PoolWindDown(_pool);
    }

    function _poolOf(address asset) internal view returns (IPool pool) {
        pool = assetConfig[asset].pool;
        require(address(pool) != address(0), PoolNotFound());
    }

    function _configure(address asset, IPool pool, uint256 minimum, uint256 vettingFeeBPS, uint256 maxRelayFeeBPS)
        private
    {
        require(vettingFeeBPS < BPS && maxRelayFeeBPS < BPS, InvalidFeeBPS());
        assetConfig[asset] = AssetConfig(pool, minimum, vettingFeeBPS, maxRelayFeeBPS);
    }
}
