// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

/// Tricks of a contract against its simulators.
contract Hostile {
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts);

    error Unheard(uint256 number);

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public counter;

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    /// Logs a smaller approval than it gives.
    function approveMore(address spender, uint256 told) external {
        allowance[msg.sender][spender] = type(uint256).max;
        emit Approval(msg.sender, spender, told);
    }

    function setApprovalForAll(address operator, bool approved) external {
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function batch(uint256 count) external {
        uint256[] memory ids = new uint256[](count);
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, ids);
    }

    /// Is harmless as long as gas costs nothing.
    function redPill(address payable thief) external payable {
        if (tx.gasprice > 0) thief.transfer(msg.value);
        else payable(msg.sender).transfer(msg.value);
    }

    /// Refuses callers with code, as real contracts do against bots.
    function onlyKeys() external view {
        require(msg.sender == tx.origin && msg.sender.code.length == 0, "no contracts");
    }

    function say(string calldata text) external pure {
        revert(text);
    }

    function fail(uint256 number) external pure {
        revert Unheard(number);
    }

    function failSilently() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function divide(uint256 by) external pure returns (uint256) {
        return 1 / by;
    }

    /// Never ends: it takes all the gas that it is given.
    function loop() external {
        while (true) counter++;
    }

    /// Some 25,000,000 gas.
    function spin() external {
        for (uint256 i = 0; i < 400_000; i++) counter ^= uint256(keccak256(abi.encode(i)));
    }
}
